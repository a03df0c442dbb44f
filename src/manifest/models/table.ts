import type * as v from "valibot";
import type { ManifestDocument } from "../../model/document.ts";
import { EsmManifestV1, EsmManifestV2 } from "./esm.ts";
import { FlatManifest } from "./flat.ts";
import { NestedManifest } from "./nested.ts";

/** The model that a document is held against. */
export function modelOf(document: ManifestDocument): v.GenericSchema {
  switch (document.dialect) {
    case "flat":
      return FlatManifest;
    case "nested":
      return NestedManifest;
    case "esm":
      return document.value.manifestVersion === "2" ? EsmManifestV2 : EsmManifestV1;
  }
}
