import { Form } from '@remix-run/react';
import type { ApiTokenScope } from '#app/domain/accounts/api-token.ts';
import { Button } from '#app/ui/button.tsx';
import { Select } from '#app/ui/fields.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { AuthPage } from '#app/ui/shell/public-shell.tsx';

const READ = { value: 'read', label: 'Read' };
const WRITE = { value: 'write', label: 'Read, and propose changes' };

interface ConnectPageProps {
  /** The program's name for itself, and the host that gets the answer. */
  name: string;
  host: string;
  /** What it asks for. */
  scope: ApiTokenScope;
  email: string;
  /** Why the answer was not carried out. */
  problem: string | null;
}

/** Asks whether a program may reach the account. The form leaves this site, so the browser itself sends it. */
export function ConnectPage({ name, host, scope, email, problem }: ConnectPageProps) {
  return (
    <AuthPage title="Connect a program?">
      {problem === null ? null : (
        <Notice tone="error" role="alert" title="Not connected">
          <p>{problem}</p>
        </Notice>
      )}
      <p className="mb-4 break-words">
        <strong>{name}</strong>
        {' – that is what it calls itself – asks to reach the account '}
        <strong>{email}</strong>. The answer goes to <strong className="break-all">{host}</strong>.
      </p>
      <p className="mb-4">
        It could read everything in this account, also health data. What it wants to change becomes a
        proposal, which you accept or decline. It never gets your password. You can end it under Profile, API
        tokens.
      </p>
      <p className="mb-4">Allow it only if you have just started this in a program that you trust.</p>
      <Form method="post" reloadDocument className="grid gap-4">
        <Select
          name="scope"
          label="It may"
          options={scope === 'write' ? [WRITE, READ] : [READ]}
          defaultValue={scope}
        />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" name="intent" value="allow">
            Allow
          </Button>
          <Button name="intent" value="deny">
            Deny
          </Button>
        </div>
      </Form>
    </AuthPage>
  );
}

/** Shown for a moment while the browser goes back to the program, and longer where it does not go by itself. */
export function LeaveForProgram({ address }: { address: string }) {
  return (
    <AuthPage title="Back to the program">
      <p className="mb-4">The program gets your answer.</p>
      <a href={address} className="btn btn-primary">
        Continue
      </a>
    </AuthPage>
  );
}

/** For a request that leads nowhere. */
export function NoSuchProgram({ message }: { message: string }) {
  return (
    <AuthPage title="Connect a program">
      <p className="break-words">{message}</p>
    </AuthPage>
  );
}
