import { unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { Notice } from '#app/ui/notice.tsx';

/** What to look at before a dose is logged. The form that holds this says yes to it by being sent. */
export function WarningsToConfirm({ warnings }: { warnings: readonly DoseWarning[] }) {
  const asked = unconfirmed(warnings, []);
  if (asked.length === 0) return null;
  return (
    <Notice tone="warning" role="alert" title="Look at this before you log it">
      {asked.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {[...new Set(asked.map(({ code }) => code))].map((code) => (
        <input key={code} type="hidden" name="confirmed" value={code} />
      ))}
    </Notice>
  );
}
