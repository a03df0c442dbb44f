// A file of output profiles, profiles/*.toml (D10). What the fields mean together is checked where results are shaped.
import * as v from "valibot";
import {
  about,
  Flag,
  integer,
  listOf,
  mapOf,
  NonEmpty,
  oneOf,
  openTable,
  Text,
  Texts,
  table,
} from "./parts.ts";

const Characters = integer(1, 1_000_000);

/** Paths that are cut to the default, or each with its own length. */
const TruncatedFields = v.union(
  [Texts, mapOf(v.string(), Characters)],
  "must be a list of paths or an object of lengths",
);

const OutputProfile = table({
  format: v.optional(about(oneOf(["toon", "csv", "json", "markdown"]), "How the result is written.")),
  keep_fields: v.optional(about(Texts, "Paths that stay; all others go.")),
  drop_fields: v.optional(about(Texts, "Paths that go.")),
  strip_nulls: v.optional(about(Flag, "Whether fields that are null go.")),
  flatten: v.optional(about(Flag, "Whether nested objects become dotted fields.")),
  collapse_arrays: v.optional(table({ max_items: integer(0, 1_000_000) })),
  truncate_strings: v.optional(
    table({ default_chars: v.optional(Characters), fields: v.optional(TruncatedFields) }),
  ),
  dedupe: v.optional(
    table({ by: v.union([NonEmpty, listOf(NonEmpty, 1)], "must be a path or a list of paths") }),
  ),
  recovery: v.optional(
    about(oneOf(["none", "local_artifact", "resource_link"]), "Where the full result is kept."),
  ),
  tee_mode: v.optional(about(oneOf(["off", "failures", "always"]), "When the full result is kept.")),
  inherits: v.optional(about(NonEmpty, "A profile whose fields hold where this one has none.")),
  on_empty: v.optional(about(Text, "What is said when nothing is left.")),
});

/** A fixture with its expectations; how it names its input is for the command that runs it. */
const ProfileTest = openTable({
  expect_format: v.optional(NonEmpty),
  expect_max_tokens: v.optional(integer(0, 10_000_000)),
  expect_lossy: v.optional(Flag),
  expect_result_count: v.optional(integer(0, 10_000_000)),
  expect_omitted_count: v.optional(integer(0, 10_000_000)),
  expect_fields: v.optional(Texts),
});

/** One `profiles/*.toml`. */
export const ProfileFileModel = v.pipe(
  table({
    output_profiles: v.optional(mapOf(v.string(), OutputProfile)),
    override_bindings: v.optional(
      about(mapOf(v.string(), NonEmpty), "Operations, and the profile that shapes each."),
    ),
    tests: v.optional(listOf(ProfileTest, 0)),
  }),
  v.title("gum output profiles"),
);
