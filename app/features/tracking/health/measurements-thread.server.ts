import { serveReader } from '#app/platform/threads/reader.server.ts';
import { readMeasurementTable, type TableReading } from './measurement-table.server.ts';

serveReader(({ text, reader }: TableReading) => [readMeasurementTable(text, reader)]);
