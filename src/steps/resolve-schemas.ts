import { isErrno } from "../base/errors.ts";
import { checkSchemas } from "../manifest/checks/schemas.ts";
import { maxManifestBytes } from "../manifest/read.ts";
import { defineStep } from "../pipeline/step.ts";
import { readInside } from "./folder-files.ts";
import { refuse } from "./refuse.ts";

/** Reads the schema bundles that the tools name; no path is built from a ref that breaks the rules. */
export const resolveSchemas = defineStep({
  name: "resolve-schemas",
  summary: "Read the request and response schemas that the tools name.",
  needs: ["document", "plugin", "folder"],
  gives: ["schemas"],
  codes: ["PLUGIN_SCHEMA_REF_INVALID"],
  async run({ document, plugin, folder }, { host, note }) {
    const { findings, schemas } = await checkSchemas(plugin, document, async (ref) => {
      try {
        const maxBytes = maxManifestBytes + 1;
        return await readInside(host.files, folder, `schemas/${ref}.json`, { maxBytes });
      } catch (error) {
        if (isErrno(error, "ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EXDEV", "EFBIG", "EACCES"))
          return undefined;
        throw error;
      }
    });
    refuse(findings);
    note(`${schemas.length} schemas`);
    return { schemas };
  },
});
