/** The version of the newline-JSON protocol (W14). Breaking changes raise it; what is added does not. */
export const PROTOCOL_VERSION = 1;

/** The handshake protocol that gum speaks unless a manifest names another. */
export const handshakeProtocol = "rterm.plugin.v1";
