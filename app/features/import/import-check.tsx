import { DataTable } from '#app/ui/data-table.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { BadLine, ImportView } from './types.ts';
import { typeText, typeTitle } from './import-texts.ts';

type Count = ImportView['counts'][number];

const number = (count: number) => count.toLocaleString('en');

const COUNT_COLUMNS = [
  { key: 'type', label: 'Type', cell: ({ type }: Count) => typeTitle(type) },
  { key: 'found', label: 'In the file', numeric: true, cell: ({ found }: Count) => number(found) },
  {
    key: 'there',
    label: 'There already',
    numeric: true,
    cell: ({ found, fresh }: Count) => number(found - fresh),
  },
  { key: 'fresh', label: 'To add', numeric: true, cell: ({ fresh }: Count) => number(fresh) },
];

const BAD_COLUMNS = [
  { key: 'line', label: 'Line', numeric: true, cell: ({ line }: BadLine) => String(line) },
  { key: 'type', label: 'Type', cell: ({ type }: BadLine) => typeText(type) },
  { key: 'reason', label: 'What is wrong', cell: ({ reason }: BadLine) => reason },
];

/** How many of each type a file holds. */
export function CountTable({ counts }: Pick<ImportView, 'counts'>) {
  return (
    <DataTable
      caption="Records of the file"
      columns={COUNT_COLUMNS}
      rows={counts}
      rowKey={({ type }) => type}
    />
  );
}

/** The rows that keep a file from being imported. */
export function BadRows({ bad, badCount }: Pick<ImportView, 'bad' | 'badCount'>) {
  const more = badCount - bad.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Notice tone="error" role="alert">
        <p>
          {badCount === 1 ? '1 row is wrong.' : `${number(badCount)} rows are wrong.`} Nothing was imported.
          Correct the file and choose it again.
        </p>
      </Notice>
      <DataTable
        caption="Rows that are wrong"
        columns={BAD_COLUMNS}
        rows={bad}
        rowKey={({ type, line }) => `${type} ${line}`}
      />
      {more > 0 ? (
        <p className="text-soft">{`These are the first ${number(bad.length)}; ${number(more)} more are wrong.`}</p>
      ) : null}
      <p className="text-sm text-soft">
        In a table the line is that of the file; in JSON it is the place in the list of its type.
      </p>
    </div>
  );
}
