import { SaxesParser } from 'saxes';
import type { Attributes } from '#app/domain/import/apple-records.ts';
import { invalid } from './import-limits.server.ts';

interface Element {
  name: string;
  attributes: Attributes;
}

/** Told of each element below the root. */
type OnElement = (name: string, attributes: Attributes, parent: Element, line: number) => void;

/** Elements within each other; an export has four. */
const MAX_DEPTH = 32;
/** Characters between two tags: one element, or the document type at the head, and all that a piece of text brings. */
const MAX_BETWEEN = 1024 * 1024;

/**
 * The elements of an XML file whose text comes piece by piece. The document type is passed over: nothing of it is
 * expanded, and one that declares entities is refused. One element at a time is held.
 */
export class XmlElements {
  private readonly parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  private readonly open: Element[] = [];
  private between = 0;

  /** @throws AppError INVALID_INPUT from `push` and `end`, with the line */
  constructor(root: string, onElement: OnElement) {
    const { parser, open } = this;
    parser.on('error', (cause) => {
      throw this.broken(cause.message.replace(/^[^ ]*: /, ''), cause);
    });
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype))
        throw this.broken('this file declares entities, which no health export does.');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.between = 0;
      const parent = open.at(-1);
      if (parent === undefined && name !== root)
        throw invalid('This XML file is not an export of Apple Health.');
      if (open.length >= MAX_DEPTH) throw this.broken('its elements are nested too deeply.');
      open.push({ name, attributes });
      if (parent !== undefined) onElement(name, attributes, parent, parser.line);
    });
    parser.on('closetag', () => {
      this.between = 0;
      open.pop();
    });
  }

  push(text: string): void {
    this.between += text.length;
    this.parser.write(text);
    if (this.between > MAX_BETWEEN) throw this.broken('one of its elements is too large.');
  }

  /** To be called after the last piece. */
  end(): void {
    this.parser.close();
  }

  private broken(reason: string, cause?: unknown) {
    return invalid(`Line ${this.parser.line}: ${reason}`, cause);
  }
}
