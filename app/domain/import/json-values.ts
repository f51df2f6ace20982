/** Why a text cannot be read on. */
export type JsonFault = 'broken' | 'deep' | 'large' | 'list';

/** What {@link JsonValues} comes across: names of the object, values that are no list, lists, and their entries. */
export type JsonEvent =
  { kind: 'name' | 'value' | 'item'; text: string } | { kind: 'list' } | { kind: 'fault'; fault: JsonFault };

/** Lists and objects within each other in one entry; one of an export has one. */
const MAX_DEPTH = 8;
/** Most characters of one name, value or entry. */
const MAX_LENGTH = 200_000;

type Place =
  | 'start'
  | 'name-or-end'
  | 'name'
  | 'colon'
  | 'value'
  | 'item-or-end'
  | 'item'
  | 'after-item'
  | 'after-value'
  | 'end'
  | 'fault';

/** Where the text may go on after a sign that stands alone; what is not here begins a name, a value or an entry. */
const SIGNS: Readonly<Partial<Record<Place, Readonly<Record<string, Place>>>>> = {
  start: { '{': 'name-or-end' },
  'name-or-end': { '}': 'end' },
  colon: { ':': 'value' },
  value: { '[': 'item-or-end' },
  'item-or-end': { ']': 'after-value' },
  'after-item': { ',': 'item', ']': 'after-value' },
  'after-value': { ',': 'name', '}': 'end' },
};

/** What begins where, and where the text goes on behind it. */
const BEGINS: Readonly<Partial<Record<Place, { kind: 'name' | 'value' | 'item'; then: Place }>>> = {
  'name-or-end': { kind: 'name', then: 'colon' },
  name: { kind: 'name', then: 'colon' },
  value: { kind: 'value', then: 'after-value' },
  'item-or-end': { kind: 'item', then: 'after-item' },
  item: { kind: 'item', then: 'after-item' },
};

const BLANKS = ' \n\r\t';
/** Signs that end a number or a word, and belong to what comes after. */
const DELIMITERS = `,]}:${BLANKS}`;

/**
 * Takes a JSON object of lists apart while its text comes in pieces. Entries are handed on as they were written:
 * whoever takes them parses them.
 */
export class JsonValues {
  private place: Place = 'start';
  private text = '';
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private current: { kind: 'name' | 'value' | 'item'; then: Place } | null = null;

  /** Whether the object has been closed. */
  get isComplete(): boolean {
    return this.place === 'end';
  }

  /** What ends in this piece of the text. After a fault nothing more comes. */
  push(piece: string): JsonEvent[] {
    const events: JsonEvent[] = [];
    let at = 0;
    while (at < piece.length && this.place !== 'fault') {
      at = this.current === null ? this.between(piece, at, events) : this.within(piece, at, events);
    }
    return events;
  }

  private fail(fault: JsonFault, events: JsonEvent[]): void {
    this.place = 'fault';
    events.push({ kind: 'fault', fault });
  }

  /** One character outside of names, values and entries. @returns where to go on */
  private between(piece: string, at: number, events: JsonEvent[]): number {
    const sign = piece.charAt(at);
    if (BLANKS.includes(sign)) return at + 1;
    const next = SIGNS[this.place]?.[sign];
    if (next !== undefined) {
      if (this.place === 'value') events.push({ kind: 'list' });
      this.place = next;
      return at + 1;
    }
    const begun = BEGINS[this.place];
    if (begun === undefined || DELIMITERS.includes(sign)) {
      this.fail(this.place === 'start' && sign === '[' ? 'list' : 'broken', events);
      return at;
    }
    this.current = begun;
    return at;
  }

  /** Goes on to the end of what was begun, or of the piece. */
  private within(piece: string, from: number, events: JsonEvent[]): number {
    let at = from;
    let isOver = false;
    while (at < piece.length && !isOver) {
      const sign = piece.charAt(at);
      if (this.isOpen() || !DELIMITERS.includes(sign)) {
        isOver = this.step(sign);
        at += 1;
      } else isOver = true;
    }
    this.text += piece.slice(from, at);
    if (this.text.length > MAX_LENGTH) this.fail('large', events);
    else if (this.depth > MAX_DEPTH) this.fail('deep', events);
    else if (isOver) this.close(events);
    return at;
  }

  private isOpen(): boolean {
    return this.inString || this.depth > 0;
  }

  /** Takes one character of a value. @returns whether the value ends with it */
  private step(sign: string): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === '\\') this.isEscaped = true;
      else if (sign === '"') this.inString = false;
      return !this.isOpen();
    }
    if (sign === '"') this.inString = true;
    else if (sign === '{' || sign === '[') this.depth += 1;
    else if (sign === '}' || sign === ']') this.depth -= 1;
    // Deeper than anything that is read: what comes after need not be looked at.
    return this.depth > MAX_DEPTH || (!this.isOpen() && (sign === '}' || sign === ']'));
  }

  private close(events: JsonEvent[]): void {
    const { current, text } = this;
    this.text = '';
    this.current = null;
    if (current === null) return;
    this.place = current.then;
    events.push({ kind: current.kind, text });
  }
}
