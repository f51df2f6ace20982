import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { deviceTimeZone } from '#app/ui/device-time-zone.ts';

/** Fills in the visitor's zone; without scripts the demo uses UTC. */
function fillZone(field: HTMLInputElement | null): void {
  if (field) field.value = deviceTimeZone();
}

/** Starts a demo. A plain form, so that the whole page reloads for the signed-in user. */
export function DemoForm({ variant }: { variant?: 'primary' }) {
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    // A page that the browser shows again after "Back" keeps its state.
    const show = () => setPending(false);
    window.addEventListener('pageshow', show);
    return () => window.removeEventListener('pageshow', show);
  }, []);
  return (
    <form method="post" action="/demo" onSubmit={() => setPending(true)}>
      <input type="hidden" name="timeZone" ref={fillZone} />
      <Button {...(variant && { variant })} disabled={isPending}>
        {isPending ? 'Making your sample data…' : 'Try the demo'}
      </Button>
      <noscript>
        <p className="text-sm text-soft">Making your sample data takes a few seconds.</p>
      </noscript>
    </form>
  );
}
