import { SaxesParser } from 'saxes';
import { AppleRecords, type Attributes } from '#app/domain/import/apple-records.ts';
import { JsonFault } from '#app/domain/import/json-stream.ts';
import { isPhoneJson, PhoneJson } from '#app/domain/import/phone-json.ts';
import { JsonRecords } from '#app/domain/import/json-records.ts';
import { PhoneMeasurements, TooManyReadings } from '#app/domain/import/phone-measurements.ts';
import type { ImportSetting, RawFile } from '#app/domain/records/record-type.ts';
import { invalid, tooManyRecords, type ImportLimits } from './import-limits.server.ts';

async function* readJson(texts: AsyncIterable<string>): AsyncGenerator<RawFile> {
  const records = new JsonRecords();
  for await (const text of texts) {
    const file = records.push(text);
    if ('problem' in file) throw invalid(file.problem);
    if (file.rows.length + file.bad.length > 0) yield file;
  }
  const fault = records.end();
  if (fault !== null) throw invalid(fault.problem);
}

/** The rows of a phone's file, with a summary of what was recognised. */
async function* readPhoneFile(
  texts: AsyncIterable<string>,
  limits: ImportLimits,
  phone: PhoneMeasurements,
  reader: { push: (text: string) => void; end: () => void },
): AsyncGenerator<RawFile> {
  yield { only: 'measurements', rows: [], bad: [] };
  try {
    for await (const text of texts) {
      reader.push(text);
      const file = phone.flush();
      if (file !== null) yield file;
    }
    reader.end();
  } catch (cause) {
    throw cause instanceof TooManyReadings ? tooManyRecords(limits) : cause;
  }
  yield* phone.finish();
}

interface XmlElement {
  name: string;
  attributes: Attributes;
}

/** Called for each element below the root. */
type OnXmlElement = (name: string, attributes: Attributes, parent: XmlElement, line: number) => void;

/** Deepest nesting of elements; an export has four levels. */
const MAX_XML_DEPTH = 32;

/** Most characters of one element or of the document type. Checked once for each piece of text, so a piece may exceed it. */
const MAX_BETWEEN_TAGS = 1024 * 1024;

/**
 * Reads the elements of an XML file piece by piece and holds one element at a time. The document type is skipped and
 * nothing in it is expanded; one that declares entities is refused.
 */
class XmlElements {
  private readonly parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  private readonly open: XmlElement[] = [];
  private between = 0;

  /** @throws AppError INVALID_INPUT from `push` and `end`, with the line */
  constructor(root: string, onElement: OnXmlElement) {
    const { parser, open } = this;
    parser.on('error', (cause) => {
      throw this.broken(cause.message.replace(/^[^ ]*: /, ''), cause);
    });
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype))
        throw this.broken('this file declares entities, which health exports never do.');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.between = 0;
      const parent = open.at(-1);
      if (parent === undefined && name !== root)
        throw invalid('This XML file is not an Apple Health export.');
      if (open.length >= MAX_XML_DEPTH) throw this.broken('its elements are nested too deeply.');
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
    if (this.between > MAX_BETWEEN_TAGS) throw this.broken('one of its elements is too large.');
  }

  /** Call this after the last piece. */
  end(): void {
    this.parser.close();
  }

  private broken(reason: string, cause?: unknown) {
    return invalid(`Line ${this.parser.line}: ${reason}`, cause);
  }
}

/** The rows of Apple Health's `export.xml`. */
function readApple(
  texts: AsyncIterable<string>,
  limits: ImportLimits,
  setting: ImportSetting,
): AsyncGenerator<RawFile> {
  const phone = new PhoneMeasurements(setting.now, limits.records);
  const records = new AppleRecords(phone, setting.timeZone);
  const xml = new XmlElements('HealthData', (name, attributes, parent, line) =>
    records.open(name, attributes, parent, line),
  );
  return readPhoneFile(texts, limits, phone, xml);
}

/** The rows of a JSON file of a phone. */
async function* readPhoneJson(
  texts: AsyncIterable<string>,
  limits: ImportLimits,
  setting: ImportSetting,
): AsyncGenerator<RawFile> {
  const phone = new PhoneMeasurements(setting.now, limits.records);
  try {
    yield* readPhoneFile(texts, limits, phone, new PhoneJson(phone, setting.timeZone));
  } catch (cause) {
    throw cause instanceof JsonFault ? invalid(cause.message, cause) : cause;
  }
}

/**
 * The records of a file that begins like JSON or XML: a JSON export, or health data from a phone.
 * @param first enough of the text to tell which; `texts` begins with it as well
 * @throws AppError INVALID_INPUT for any other file, PAYLOAD_TOO_LARGE
 */
export function readStructured(
  first: string,
  texts: AsyncIterable<string>,
  limits: ImportLimits,
  setting: ImportSetting,
): AsyncGenerator<RawFile> {
  if (/^\s*</.test(first)) return readApple(texts, limits, setting);
  return isPhoneJson(first) ? readPhoneJson(texts, limits, setting) : readJson(texts);
}
