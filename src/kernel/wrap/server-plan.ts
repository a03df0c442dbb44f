/** What is known about a server before it has said anything. */
export interface ServerFacts {
  /** A plugin id, or what one can be made of. */
  readonly id: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly homepage: string | undefined;
  /** Who owns the names, such as `npm:@scope/name`; undefined when nobody can be named. */
  readonly owner: string | undefined;
}

/** A file or a folder that goes into the plugin's folder. */
export interface ServerCopy {
  readonly from: string;
  /** Relative to the plugin's folder. */
  readonly to: string;
  /** Names that are left out, at any depth. */
  readonly without: readonly string[];
}

/** How an existing server becomes a plugin's folder. */
export interface ServerPlan {
  readonly kind: "npm" | "python" | "file";
  readonly facts: ServerFacts;
  readonly copies: readonly ServerCopy[];
  /** Links inside the folder, each with its target relative to where it stands. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Small files that gum writes itself. */
  readonly written: readonly { readonly path: string; readonly text: string }[];
  /** What is started, relative to the folder. */
  readonly executable: string;
  readonly args: readonly string[];
}
