import { checkShape } from "../manifest/checks/shape.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse shapes that are reserved or unknown, before any other field is looked at. */
export const gateShape = defineStep({
  name: "gate-shape",
  summary: "Refuse shapes that are reserved or unknown, before any other field is looked at.",
  needs: ["document", "schemaVersion"],
  gives: ["shapeAllowed"],
  codes: ["PLUGIN_SHAPE_UNSUPPORTED"],
  run({ document }) {
    refuse(checkShape(document));
    return { shapeAllowed: true };
  },
});
