import { Form, Link } from '@remix-run/react';
import type { ApiContents, CallLine, DocumentedCall, DocumentedField } from '#app/domain/api-docs.ts';
import { Badge } from '#app/ui/badge.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { plural } from '#app/domain/text/plural.ts';
import { MarginSection } from '#app/ui/margin-section.tsx';

/** Renders parts between backticks as code. */
function CodedText({ children }: { children: string }) {
  return children
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>,
    );
}

const PLACES: Record<DocumentedField['place'], string> = {
  path: 'address',
  query: 'query',
  body: 'body',
  file: 'form',
};

const FIELDS: readonly Column<DocumentedField>[] = [
  {
    key: 'name',
    label: 'Field',
    cell: ({ name, isRequired }) => (
      <div>
        <code>{name}</code>
        {isRequired ? <span className="block text-sm font-normal text-soft">required</span> : null}
      </div>
    ),
  },
  { key: 'place', label: 'In', cell: ({ place }) => PLACES[place] },
  {
    key: 'type',
    label: 'Type',
    cell: ({ type, about }) => (
      <div>
        {type}
        {about ? (
          <span className="block text-soft">
            <CodedText>{about}</CodedText>
          </span>
        ) : null}
      </div>
    ),
  },
];

const ANSWERS: readonly Column<DocumentedCall['answers'][number]>[] = [
  { key: 'status', label: 'Status', cell: ({ status }) => <span className="figure">{status}</span> },
  { key: 'meaning', label: 'When', cell: ({ meaning }) => <CodedText>{meaning}</CodedText> },
];

function Example({ title, children }: { title: string; children: string }) {
  return (
    <figure className="mt-3">
      <figcaption className="text-sm text-soft">{title}</figcaption>
      <pre className="code-block">
        <code>{children}</code>
      </pre>
    </figure>
  );
}

/** One call: what it does, its fields and its responses. */
function Call({ call }: { call: DocumentedCall }) {
  const { summary, description, who, fields, sends, gives, answers } = call;
  return (
    <div className="pb-4">
      <p className="text-sm text-soft">{who}</p>
      {description ? (
        <p className="mt-2 max-w-2xl">
          <CodedText>{description}</CodedText>
        </p>
      ) : null}
      {fields.length > 0 ? (
        <DataTable
          caption={`Fields of ${summary}`}
          columns={FIELDS}
          rows={fields}
          rowKey={({ name }) => name}
        />
      ) : null}
      {sends ? <Example title="You send">{sends}</Example> : null}
      {gives ? <Example title="You get">{gives}</Example> : null}
      <DataTable
        caption={`Responses of ${summary}`}
        columns={ANSWERS}
        rows={answers}
        rowKey={({ status }) => status}
        fixed
      />
    </div>
  );
}

/** A call in the list, which opens and closes with a link. */
function Line({ line, open, search }: { line: CallLine; open: DocumentedCall | null; search: string }) {
  const { id, method, path, summary } = line;
  const isOpen = open?.id === id;
  const query = new URLSearchParams({ ...(search && { q: search }), ...(isOpen ? {} : { call: id }) });
  return (
    <article id={id} aria-labelledby={`${id}-title`} className="api-call">
      <h3 id={`${id}-title`}>
        <Link to={`?${query}#${id}`} preventScrollReset aria-expanded={isOpen}>
          {summary}
        </Link>
      </h3>
      <p className="api-address">
        <Badge tone="pen">{method}</Badge> <code>{path}</code>
      </p>
      {isOpen ? <Call call={open} /> : null}
    </article>
  );
}

const firstCalls = (server: string) => `curl -s ${server}/api/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.org","password":"…"}'

curl -s ${server}/api/calculations \\
  -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: monday-1' \\
  -d '{"peptideAmount":5,"waterVolume":2,"desiredDose":"0.25"}'`;

interface ApiDocsProps {
  contents: ApiContents;
  /** The call that is shown in full. */
  open: DocumentedCall | null;
  search: string;
}

/** The API documentation: every call under its heading, one of them in full. */
export function ApiDocsPage({ contents, open, search }: ApiDocsProps) {
  const { server, intro, groups, total } = contents;
  return (
    <div>
      <div className="prose py-6">
        <h1>The API</h1>
        {intro.map((paragraph) => (
          <p key={paragraph}>
            <CodedText>{paragraph}</CodedText>
          </p>
        ))}
        <p>
          For programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1) and, for older tools,{' '}
          <a href="/api/openapi-3.0.json">/api/openapi-3.0.json</a>.
        </p>
        <pre className="code-block">
          <code>{firstCalls(server)}</code>
        </pre>
      </div>
      <Form method="get" role="search" className="grid max-w-xl gap-4">
        <Field
          name="q"
          type="search"
          maxLength={200}
          label="Search the calls"
          defaultValue={search}
          hint="Words of their name, address, description or fields"
        />
        <div>
          <Button>Search</Button>
        </div>
      </Form>
      {search ? (
        <p role="status" className="mt-4">
          {total === 0 ? 'No call has all of these words.' : plural(total, 'call')}{' '}
          <Link to="/api/docs">All calls</Link>
        </p>
      ) : null}
      <nav aria-label="Calls" className="api-contents">
        <ul>
          {groups.map(({ id, title, calls }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a> <span className="text-soft">({calls.length})</span>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(({ id, title, about, calls }) => (
        <MarginSection key={id} id={id} title={title}>
          <p className="text-soft">{about}</p>
          {calls.map((line) => (
            <Line key={line.id} line={line} open={open} search={search} />
          ))}
        </MarginSection>
      ))}
    </div>
  );
}
