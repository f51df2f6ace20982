/** A cursor over the source of a regular expression, by code points. */
export class Scanner {
  private at = 0;

  constructor(private readonly source: string) {}

  get done(): boolean {
    return this.at >= this.source.length;
  }

  /** The next character, empty at the end. */
  get peek(): string {
    const code = this.source.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  next(): string {
    const ch = this.peek;
    this.at += ch.length;
    return ch;
  }

  eat(ch: string): boolean {
    if (!this.source.startsWith(ch, this.at)) return false;
    this.at += ch.length;
    return true;
  }

  /** Takes what a sticky expression finds right here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}
