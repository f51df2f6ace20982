import type { ApiDocumentation } from '#app/domain/api-docs.ts';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Call } from './call.tsx';
import { CodedText } from './coded-text.tsx';

const firstCalls = (server: string) => `curl -s ${server}/api/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.org","password":"…"}'

curl -s ${server}/api/calculations \\
  -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: monday-1' \\
  -d '{"peptideAmount":5,"waterVolume":2,"desiredDose":"0.25"}'`;

/** The description of the API for people: every call under its heading. */
export function ApiDocsPage({ documentation }: { documentation: ApiDocumentation }) {
  const { server, intro, groups } = documentation;
  return (
    <div>
      <header className="prose py-6">
        <h1>The API</h1>
        {intro.map((paragraph) => (
          <p key={paragraph}>
            <CodedText>{paragraph}</CodedText>
          </p>
        ))}
        <p>
          For programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).
        </p>
        <pre className="code-block">
          <code>{firstCalls(server)}</code>
        </pre>
      </header>
      <nav aria-label="Calls" className="api-contents">
        <ul>
          {groups.map(({ id, title, calls }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a> <span className="text-soft">({calls.length})</span>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(({ id, title, calls }) => (
        <MarginSection key={id} id={id} title={title}>
          {calls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </MarginSection>
      ))}
    </div>
  );
}
