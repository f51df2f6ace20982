import { Button } from '#app/ui/button.tsx';
import { deviceTimeZone } from '#app/ui/use-time-zone.ts';

/** The visitor's zone, once scripts run; without them the demo is told in UTC. */
function fillZone(field: HTMLInputElement | null): void {
  if (field) field.value = deviceTimeZone();
}

/** Begins a demo. The whole page is loaded anew: what follows belongs to somebody who is signed in. */
export function DemoForm({ variant }: { variant?: 'primary' }) {
  return (
    <form method="post" action="/demo">
      <input type="hidden" name="timeZone" ref={fillZone} />
      <Button {...(variant && { variant })}>Try the demo</Button>
    </form>
  );
}
