import { GumError } from "../base/errors.ts";
import { checkShape } from "../manifest/checks/shape.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse shapes that are reserved or unknown, before any other field is looked at. */
export const gateShape = defineStep({
  name: "gate-shape",
  summary: "Refuse shapes that are reserved or unknown, before any other field is looked at.",
  needs: ["document", "schemaVersion", "profile"],
  gives: ["shapeAllowed"],
  codes: ["PLUGIN_SHAPE_UNSUPPORTED"],
  run({ document, profile }) {
    if (document.dialect === "esm" && profile.esmAccepted === false) {
      throw new GumError("PLUGIN_SHAPE_UNSUPPORTED", "ES-module plugins are turned off in this profile.", {
        at: { file: document.file },
        hint: "set plugins.manifest_loader_enabled (MANIFEST_LOADER_ENABLED) to accept them",
      });
    }
    refuse(checkShape(document));
    return { shapeAllowed: true };
  },
});
