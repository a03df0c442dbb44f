// What a person types where nothing is shown, read key by key. A paste that the terminal marks as one may hold line
// breaks; anywhere else the first line break ends the value.

export type SecretKeys =
  | { readonly kind: "more" }
  /** `rest` is what was typed after the line break. */
  | { readonly kind: "line"; readonly value: string; readonly rest: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "end" };

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";

/** A value in the making. */
export class SecretLine {
  #value = "";
  /** The start of an escape sequence whose end has not come yet. */
  #pending = "";
  #pasting = false;

  feed(text: string): SecretKeys {
    let left = this.#pending + text;
    this.#pending = "";
    while (left !== "") {
      if (this.#pasting) {
        left = this.#paste(left);
        continue;
      }
      const [key = ""] = left;
      if (key === "\r" || key === "\n") {
        const rest = left.slice(left.startsWith("\r\n") ? 2 : 1);
        return { kind: "line", value: this.#value.replace(/\n+$/, ""), rest };
      }
      if (key === "\u0003") return { kind: "interrupt" };
      if (key === "\u0004" && this.#value === "") return { kind: "end" };
      left = key === "\u001b" ? this.#escape(left) : this.#key(key, left.slice(key.length));
    }
    return { kind: "more" };
  }

  #key(key: string, rest: string): string {
    if (key === "\u007f" || key === "\b") this.#value = [...this.#value].slice(0, -1).join("");
    else if (key === "\u0015") this.#value = "";
    else if (key >= " ") this.#value += key;
    return rest;
  }

  /** Keys such as arrows say nothing here; the mark of a paste does. */
  #escape(text: string): string {
    if (text.startsWith(pasteStart)) {
      this.#pasting = true;
      return text.slice(pasteStart.length);
    }
    const [sequence] = /^(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])/su.exec(text.slice(1)) ?? [];
    if (sequence !== undefined) return text.slice(1 + sequence.length);
    this.#pending = text;
    return "";
  }

  #paste(text: string): string {
    const end = text.indexOf(pasteEnd);
    if (end >= 0) {
      this.#take(text.slice(0, end));
      this.#pasting = false;
      return text.slice(end + pasteEnd.length);
    }
    const cut = text.lastIndexOf("\u001b");
    const partial = cut >= 0 && pasteEnd.startsWith(text.slice(cut));
    this.#take(partial ? text.slice(0, cut) : text);
    if (partial) this.#pending = text.slice(cut);
    return "";
  }

  #take(pasted: string): void {
    this.#value += pasted.replace(/\r\n?/g, "\n");
  }
}
