import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';
import type { PageArgs, UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { LandingSections } from './landing-sections.tsx';
import { countWaitingProposals } from '#app/features/proposals/index.server.ts';
import { getBellView } from '#app/features/reminders/index.server.ts';
import { shownAnnouncements } from '#app/features/system/index.server.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { isInDemo } from '#app/platform/access/authorise.server.ts';
import type { FrameData } from './account-frame.tsx';
import { redirect } from '@remix-run/node';
import { BEGIN_PATH, readFirstStep } from '#app/domain/accounts/account.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { homeAfterSteps, readStepStates, skipFirstSteps, type StepState } from './first-steps.server.ts';
import type { BeginView, FirstStepsView } from './first-steps.tsx';

/** The same for everybody on this server, so rendered once. */
let sectionsHtml: string | undefined;

/** What the home page shows. */
export async function openLanding({ ctx, url }: PageArgs) {
  sectionsHtml ??= renderToStaticMarkup(
    createElement(LandingSections, {
      site: { origin: ctx.appUrl, isSelling: ctx.isSelling, hasSignUp: ctx.signUp === 'open' },
    }),
  );
  return {
    demo: url.searchParams.get('demo') === '1',
    hasDemo: await isSwitchedOn(ctx, 'demo'),
    sections: sectionsHtml,
  };
}

/** The data of the frame around all signed-in pages. Each page authorises itself. */
export async function readAccountFrame({ ctx, user }: UserPageArgs): Promise<FrameData> {
  return {
    account: { userId: user.id, sessionId: user.sessionId },
    email: user.email,
    premium: user.entitlement.isPremium,
    trialDaysLeft: user.entitlement.trialDaysLeft,
    isPastDue: user.entitlement.status === 'past_due',
    isUnconfirmed: !user.hasConfirmedEmail,
    isDemo: isInDemo(user),
    deletedOn: user.deleteAfter && shownInstant(user.deleteAfter, ctx.timeZone),
    announcements: (await shownAnnouncements(ctx)).map(({ id, title, text, isDismissible }) => ({
      id,
      title,
      text,
      isDismissible,
    })),
    proposals: await countWaitingProposals(ctx),
    bell: user.entitlement.isPremium ? await getBellView(ctx, user.timeZone) : null,
  };
}

/** A new account's progress; null once it has done or skipped the steps and no longer needs the guide. */
export async function readFirstSteps({ ctx, user }: UserPageArgs): Promise<FirstStepsView | null> {
  const steps = await readStepStates(ctx, user);
  // Reminders alone do not keep the guide open: they have working defaults.
  const isOpen = steps.some(({ step, state }) => state === 'open' && step !== 'reminders');
  return isOpen ? { steps, isPremium: user.entitlement.isPremium } : null;
}

/**
 * The page with the first steps. Shows the step named in its address unless that is done, else the first open one.
 * Redirects users with no open steps.
 */
export async function readBeginPage({ ctx, user, url }: UserPageArgs): Promise<BeginView> {
  const steps = await readStepStates(ctx, user);
  const requestedStep = readFirstStep(url.searchParams.get('step'));
  const isCurrent = ({ step, state }: StepState) => step === requestedStep && state !== 'done';
  const current = steps.find(isCurrent) ?? steps.find(({ state }) => state === 'open');
  const home = homeAfterSteps(user);
  if (current === undefined) throw redirect(home);
  const addressOf = (changes: Record<string, string | null>) =>
    pageAddress(BEGIN_PATH, url.searchParams, changes);
  return {
    steps: steps.map((each) => ({
      ...each,
      href: addressOf({ step: each.step, do: null }),
    })),
    current: current.step,
    skipAction: addressOf({ step: current.step, do: 'skip' }),
    skipAllAction: addressOf({ step: null, do: 'skip' }),
    isPremium: user.entitlement.isPremium,
  };
}

/** Skips the step named in the address, or all of them. */
export async function skipFromPage({ ctx, user, url }: UserPageArgs) {
  const step = readFirstStep(url.searchParams.get('step'));
  await skipFirstSteps(ctx, step);
  return redirect(
    step === null
      ? homeAfterSteps(user)
      : pageAddress(BEGIN_PATH, url.searchParams, { step: null, do: null }),
  );
}
