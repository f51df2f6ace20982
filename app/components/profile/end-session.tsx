import { Form } from '@remix-run/react';
import { Button, LinkButton } from '../ui/button.tsx';
import type { SessionRow } from './session-list.tsx';

/** The step before a session ends. */
export function EndSession({ session, action }: { session: SessionRow; action: string }) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 pl-6">
      <h1>End this session?</h1>
      <p className="mt-4 font-semibold">{session.browser}</p>
      <p className="text-soft">{`From ${session.address}. Last used ${session.lastUsed}, signed in ${session.started}.`}</p>
      <p className="mt-3 text-soft">
        That browser is signed out at its next click. On the free plan, what it calculated goes with it.
      </p>
      <Form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger">End session</Button>
        <LinkButton to="/dashboard/profile">Keep it</LinkButton>
      </Form>
    </div>
  );
}
