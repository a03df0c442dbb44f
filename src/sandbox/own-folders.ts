import { dirname } from "node:path/posix";
import type { Profile } from "../model/profile.ts";

/** gum's own folders, of every profile, and where this one's plugins are installed. */
export function ownFolders(
  profile: Pick<Profile, "configDir" | "dataDir" | "cacheDir" | "pluginsDir">,
): string[] {
  const { configDir, dataDir, cacheDir, pluginsDir } = profile;
  return [...[configDir, dataDir, cacheDir].map((folder) => dirname(folder)), pluginsDir];
}
