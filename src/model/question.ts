import type { Progress, RawReply } from "./session.ts";

/** Something that a caller wants from a running plugin which is not the call of a tool. */
export interface Question {
  readonly plugin: string;
  readonly asks: Asked;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told what the plugin sent, before gum reads it. */
  readonly onReply?: ((reply: RawReply) => void) | undefined;
}

export type Asked =
  /** Everything beside tools that the plugin lists. */
  | { readonly method: "offer" }
  | {
      readonly method:
        | "prompts/get"
        | "resources/read"
        | "resources/subscribe"
        | "resources/unsubscribe"
        | "completion/complete"
        | "logging/setLevel";
      readonly params: Readonly<Record<string, unknown>>;
    };

/** What a plugin lists beside its tools, each entry as it said it. */
export interface Offer {
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
}
