import type { MetaFunction } from '@remix-run/node';
import { Question } from '#app/features/accounts/index.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { endSecondFactor, getSecondFactor } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Switch off two-step sign-in – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  await getSecondFactor(ctx);
  return null;
});

export const action = forUsers(async ({ ctx }) => {
  await endSecondFactor(ctx);
  throw await done('/dashboard/profile', 'Two-step sign-in is off');
});

export default function SwitchOff() {
  return (
    <Question
      title="Switch off two-step sign-in?"
      action="/dashboard/profile/second-factor/off"
      yes="Switch off"
      no="Keep it on"
      noHref="/dashboard/profile/second-factor"
    >
      <p>The password alone will sign in again, and the recovery codes are gone.</p>
    </Question>
  );
}
