import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { enableNotifications, pushState, type PushState } from './push-client.ts';

const WORDS: Record<PushState, string> = {
  unsupported: 'This browser has no notifications.',
  denied: 'This browser was told not to show notifications. Allow them in its settings for this site.',
  off: 'Be told of due doses by this browser, also when no page is open.',
  page: 'This browser tells of due doses while a page is open.',
  on: 'This browser tells of due doses, also when no page is open.',
};

interface EnableNotificationsProps {
  /** Shows nothing once it is decided. */
  onlyToAsk?: boolean;
}

/** The way to notifications of this browser. There is none without scripts, so nothing shows then. */
export function EnableNotifications({ onlyToAsk = false }: EnableNotificationsProps) {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    pushState().then(setState, () => setState('unsupported'));
  }, []);
  if (state === null || (onlyToAsk && state !== 'off')) return null;
  const enable = () => {
    setBusy(true);
    enableNotifications()
      .then(setState, () => setState('page'))
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-3 p-4">
      <p role="status" className="min-w-0 flex-1 text-sm">
        {WORDS[state]}
      </p>
      {state === 'off' || (state === 'page' && !onlyToAsk) ? (
        <Button type="button" onClick={enable} disabled={busy}>
          Enable
        </Button>
      ) : null}
    </div>
  );
}
