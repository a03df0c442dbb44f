import manifest from "../../package.json" with { type: "json" };

/** This version of gum. */
export const gumVersion: string = manifest.version;
