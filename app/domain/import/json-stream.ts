import { quotedNumbers } from './json-records.ts';

/** The path of a value: keys of objects and indexes in lists, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** Receives what {@link JsonStream} reads. Numbers are text, so that no digit is lost. */
export interface JsonListener {
  /** Whether a list's entry is wanted as one value; otherwise its contents are reported. */
  isWhole(path: JsonPath): boolean;
  /** A complete value: a text, a number, or an entry wanted as one value. */
  onValue(path: JsonPath, value: unknown): void;
  /** The end of a list or object that was not wanted as one value. */
  onEnd(path: JsonPath): void;
}

/** Thrown for text that is not valid JSON, too large or nested too deeply. */
export class JsonFault extends Error {}

const MAX_DEPTH = 32;
/** Characters of one value. */
const MAX_LENGTH = 1_000_000;

type Expects = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma' | 'nothing';

interface Container {
  isList: boolean;
  expects: Expects;
}

const BLANKS = ' \n\r\t';
const ENDS = `,]}${BLANKS}`;

/** Reads JSON of any shape and size piece by piece, holding one value at a time. */
export class JsonStream {
  private readonly containers: Container[] = [];
  private readonly path: (string | number)[] = [];
  private outer: Expects = 'value';
  /** The current value or key so far. */
  private text = '';
  private capture: 'key' | 'value' | null = null;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly listener: JsonListener) {}

  /** @throws JsonFault */
  push(piece: string): void {
    let at = 0;
    while (at < piece.length) at = this.capture === null ? this.between(piece, at) : this.within(piece, at);
  }

  /** Call this after the last piece. @throws JsonFault */
  end(): void {
    if (this.containers.length > 0 || this.capture !== null || this.outer !== 'nothing')
      throw new JsonFault('This file is not valid JSON: it is cut off.');
  }

  private get expects(): Expects {
    return this.containers.at(-1)?.expects ?? this.outer;
  }

  private set expects(expects: Expects) {
    const container = this.containers.at(-1);
    if (container === undefined) this.outer = expects;
    else container.expects = expects;
  }

  private between(piece: string, at: number): number {
    const sign = piece.charAt(at);
    if (BLANKS.includes(sign)) return at + 1;
    const { expects } = this;
    if (expects === 'colon' && sign === ':') this.expects = 'value';
    else if (expects === 'comma' && sign === ',')
      this.expects = this.containers.at(-1)?.isList ? 'value' : 'key';
    else if ((expects === 'comma' || expects === 'value-or-end') && sign === ']') this.close(true);
    else if ((expects === 'comma' || expects === 'key-or-end') && sign === '}') this.close(false);
    else if ((expects === 'key' || expects === 'key-or-end') && sign === '"') return this.begin('key', at);
    else if (expects === 'value' || expects === 'value-or-end') return this.beginValue(sign, at);
    else throw new JsonFault('This file is not valid JSON.');
    return at + 1;
  }

  private begin(capture: 'key' | 'value', at: number): number {
    this.capture = capture;
    return at;
  }

  private beginValue(sign: string, at: number): number {
    const container = this.containers.at(-1);
    if (container?.isList) this.path.push(Number(this.path.pop() ?? -1) + 1);
    const isContainer = sign === '{' || sign === '[';
    if (!isContainer || this.listener.isWhole(this.path)) {
      if (`${ENDS}:`.includes(sign)) throw new JsonFault('This file is not valid JSON.');
      return this.begin('value', at);
    }
    if (this.containers.length >= MAX_DEPTH) throw new JsonFault('This file is nested too deeply.');
    const isList = sign === '[';
    this.containers.push({ isList, expects: isList ? 'value-or-end' : 'key-or-end' });
    this.path.push(isList ? -1 : '');
    return at + 1;
  }

  private close(isList: boolean): void {
    if (this.containers.pop()?.isList !== isList) throw new JsonFault('This file is not valid JSON.');
    this.path.pop();
    this.listener.onEnd(this.path);
    this.expects = this.containers.length === 0 ? 'nothing' : 'comma';
  }

  private within(piece: string, from: number): number {
    let at = from;
    let isOver = false;
    while (at < piece.length && !isOver) {
      const sign = piece.charAt(at);
      if (this.inString || this.depth > 0 || !ENDS.includes(sign)) {
        isOver = this.step(sign);
        at += 1;
      } else isOver = true;
    }
    this.text += piece.slice(from, at);
    if (this.text.length > MAX_LENGTH) throw new JsonFault('One of the values in this file is too large.');
    if (isOver) this.finish();
    return at;
  }

  /** @returns whether the value ends with this character */
  private step(sign: string): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === '\\') this.isEscaped = true;
      else if (sign === '"') {
        this.inString = false;
        return this.depth === 0;
      }
      return false;
    }
    if (sign === '"') this.inString = true;
    else if (sign === '{' || sign === '[') this.depth += 1;
    else if (sign === '}' || sign === ']') this.depth -= 1;
    if (this.depth > MAX_DEPTH) throw new JsonFault('This file is nested too deeply.');
    return this.depth === 0 && (sign === '}' || sign === ']');
  }

  private finish(): void {
    const { capture, text } = this;
    this.capture = null;
    this.text = '';
    let value: unknown;
    try {
      value = JSON.parse(capture === 'key' ? text : quotedNumbers(text));
    } catch {
      throw new JsonFault('This file is not valid JSON.');
    }
    if (capture === 'key') {
      this.path[this.path.length - 1] = String(value);
      this.expects = 'colon';
      return;
    }
    this.listener.onValue(this.path, value);
    this.expects = this.containers.length === 0 ? 'nothing' : 'comma';
  }
}
