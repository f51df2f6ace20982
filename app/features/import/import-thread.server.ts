import type { ImportSetting } from '#app/domain/records/record-type.ts';
import { serveReader } from '#app/platform/threads/reader.server.ts';
import { readImportFile } from './import-file.server.ts';
import type { ImportLimits } from './import-limits.server.ts';

/** What the thread needs to know besides the file. */
export interface ImportReading {
  limits: ImportLimits;
  setting: ImportSetting;
}

serveReader(({ limits, setting }: ImportReading, bytes) => readImportFile({ bytes }, limits, setting));
