/** What gum holds for a plugin at most, whatever the plugin does. */
export interface TransportLimits {
  /** The longest line in either direction. */
  readonly maxLineBytes: number;
  /** How much may wait for a plugin that does not read. */
  readonly maxQueueBytes: number;
  /** How many unanswered requests of the plugin gum works on. */
  readonly maxInbound: number;
  /** How much of stderr is kept. */
  readonly stderrBytes: number;
}

export const defaultLimits: TransportLimits = {
  maxLineBytes: 16 * 1024 * 1024,
  maxQueueBytes: 32 * 1024 * 1024,
  maxInbound: 64,
  stderrBytes: 64 * 1024,
};
