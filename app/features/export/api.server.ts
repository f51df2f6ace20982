import * as z from 'zod';
import {
  DEFAULT_EXPORT_TYPES,
  EXPORT_FORMATS,
  EXPORT_MESSAGES,
  MAX_PDF_RECORDS,
} from '#app/domain/export/export-schema.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { exportContentType } from '#app/domain/export/export-file.ts';
import { prepareExport } from './export.server.ts';
import { FileReply, operation } from '#app/platform/api/operation.ts';
import { listOf, periodQuery, yesOrNo } from '#app/platform/api/shapes.ts';

export const exportData = operation({
  id: 'exportData',
  method: 'GET',
  path: '/api/export',
  tag: 'Export',
  summary: 'Your data as a file',
  description:
    'Streamed. Start and end days are included, in the time zone of the account. Without records, the file is valid but ' +
    `empty; the header \`Record-Count\` says how many it has. Default types: ${DEFAULT_EXPORT_TYPES.join(', ')}. A PDF can have at most ` +
    `${MAX_PDF_RECORDS.toLocaleString('en')} records; CSV and JSON have no limit. An account can make one file at a ` +
    'time: a second request waits briefly and then gets 429.',
  access: 'user',
  query: z.object({
    format: z.enum(EXPORT_FORMATS, { error: EXPORT_MESSAGES.format }).default('json'),
    types: listOf(z.enum(EXPORT_TYPES, { error: EXPORT_MESSAGES.unknownType }))
      .optional()
      .describe('Separated by commas'),
    ...periodQuery,
    metadata: yesOrNo
      .optional()
      .describe('Date, email address, version and number of records; on by default'),
  }),
  files: EXPORT_FORMATS.map((format) => exportContentType(format)),
  headers: ['Record-Count'],
  errors: ['PREMIUM_REQUIRED'],
  example: { query: { format: 'csv', types: 'calculations', start: '2026-11-01', end: '2026-11-30' } },
  async run(ctx, { query }) {
    const { format, types = [...DEFAULT_EXPORT_TYPES], start, end, metadata } = query;
    const prepared = await prepareExport(ctx, {
      format,
      types,
      startDate: start,
      endDate: end,
      includeMetadata: metadata ?? true,
    });
    const headers = { 'Record-Count': String(prepared.totalRecords) };
    return new FileReply(prepared.contentType, prepared.fileName, () => prepared.open(), headers);
  },
});

export const exportOperations = [exportData];
