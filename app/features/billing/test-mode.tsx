import { Notice } from '#app/ui/notice.tsx';

/** Marks what no money flows through. */
export function TestMode() {
  return (
    <Notice title="Test mode">
      No money is taken. A stand-in for the payment provider answers on this machine.
    </Notice>
  );
}
