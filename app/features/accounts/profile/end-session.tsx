import { Question } from './confirm-question.tsx';
import type { SessionRow } from './session-list.tsx';

/** The step before a session ends. */
export function EndSession({ session, action }: { session: SessionRow; action: string }) {
  const { browser, address, lastUsed, started } = session;
  return (
    <Question
      title="End this session?"
      action={action}
      yes="End session"
      no="Keep it"
      noHref="/dashboard/profile"
    >
      <p className="font-semibold">{browser}</p>
      <p className="text-soft">{`From ${address}. Last used ${lastUsed}, signed in ${started}.`}</p>
      <p className="text-soft">
        That browser is signed out at its next click. On the free plan, what it calculated goes with it.
      </p>
    </Question>
  );
}
