import type { MetaFunction } from '@remix-run/node';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/toast.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { endSecondFactor, getSecondFactor } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Turn off two-step sign-in – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  await getSecondFactor(ctx);
  return null;
});

export const action = forUsers(async ({ ctx }) => {
  await endSecondFactor(ctx);
  throw await done('/dashboard/profile', 'Two-step sign-in is off');
});

export default function TurnOff() {
  return (
    <Confirmation
      title="Turn off two-step sign-in?"
      action="/dashboard/profile/second-factor/off"
      yes="Turn off"
      no="Keep it on"
      noHref="/dashboard/profile/second-factor"
    >
      <p>Your password alone will sign you in again. Your recovery codes are deleted.</p>
    </Confirmation>
  );
}
