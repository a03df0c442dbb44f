/** The same JSON, in which a terminal finds nothing to obey. */
export function terminalJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
