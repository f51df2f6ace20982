import { Form, Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { BEGIN_PATH, type FirstStep } from '#app/domain/accounts/account.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

interface ShownStep {
  step: FirstStep;
  state: 'open' | 'done' | 'skipped';
}

/** A new user's progress through the first steps. */
export interface FirstStepsView {
  /** The steps open to the account. */
  steps: readonly ShownStep[];
  isPremium: boolean;
}

const STEP_TEXTS: Readonly<Record<FirstStep, { title: string; text: string; label: string }>> = {
  vial: {
    title: 'What is in your vial',
    text: 'Name, amount and water. Each dose is subtracted, so you see when the vial runs out.',
    label: 'Add your vial',
  },
  plan: {
    title: 'Your schedule',
    text: 'How much, how often and at what time. Today then shows what is due and what to draw.',
    label: 'Create a schedule',
  },
  reminders: {
    title: 'How to be reminded',
    text: 'On the page, by email or on your phone, and how early.',
    label: 'Choose reminders',
  },
};

const STATE_LABELS = { done: 'Done', skipped: 'Skipped' } as const;

/** Tells free accounts which steps need Premium. */
function PremiumLine() {
  return (
    <p className="mt-4 max-w-prose text-soft">
      Schedules and reminders are part of Premium. The first 14 days are free, no card needed.{' '}
      <Link to="/upgrade" className="inline-flex min-h-11 items-center">
        See Premium
      </Link>
    </p>
  );
}

/** Skips one step, or all remaining ones. The choice is stored. */
function SkipForm({ action, label }: { action: string; label: string }) {
  return (
    <Form method="post" action={action}>
      <Button variant="plain">{label}</Button>
    </Form>
  );
}

/** The link to the steps, above the calculator. */
export const FirstStepsLine = () => (
  <p>
    <Link to={BEGIN_PATH} className="inline-flex min-h-11 items-center">
      Set up your first vial
    </Link>
  </p>
);

/** The first steps of a new account, below the calculator. All are optional. */
export function FirstSteps({ view: { steps, isPremium } }: { view: FirstStepsView }) {
  const next = steps.find(({ state }) => state === 'open');
  return (
    <MarginSection id="first-steps" title="First steps">
      <p className="mb-4 max-w-prose text-soft">Optional. Do these in any order.</p>
      <ol className="grid gap-4 sm:grid-cols-3">
        {steps.map(({ step, state }, place) => (
          <li key={step} className="sheet flex flex-col p-4">
            <h3>{`${place + 1}. ${STEP_TEXTS[step].title}`}</h3>
            <p className="mt-1 mb-4 text-soft">{STEP_TEXTS[step].text}</p>
            {state === 'open' ? (
              <LinkButton
                to={`${BEGIN_PATH}?step=${step}`}
                className="mt-auto w-full"
                {...(step === next?.step && { variant: 'primary' })}
              >
                {STEP_TEXTS[step].label}
              </LinkButton>
            ) : (
              <p className="mt-auto font-semibold">{STATE_LABELS[state]}</p>
            )}
          </li>
        ))}
      </ol>
      {isPremium ? null : <PremiumLine />}
      <div className="mt-2">
        <SkipForm action={BEGIN_PATH} label="Skip the first steps" />
      </div>
    </MarginSection>
  );
}

/** The data of the page with the first steps. */
export interface BeginView {
  steps: readonly (ShownStep & { href: string })[];
  /** The step whose form is shown. */
  current: FirstStep;
  skipAction: string;
  skipAllAction: string;
  isPremium: boolean;
}

interface BeginPageProps {
  view: BeginView;
  /** Shown above the steps: a calculation from before the registration. */
  calculation?: ReactNode;
  /** The form of the current step. */
  children: ReactNode;
}

/** The first steps on one page; the current one shows its ordinary form. */
export function BeginPage({
  view: { steps, current, skipAction, skipAllAction, isPremium },
  calculation,
  children,
}: BeginPageProps) {
  return (
    <>
      <PageTitle actions={steps.length > 1 ? <SkipForm action={skipAllAction} label="Skip all" /> : null}>
        First steps
      </PageTitle>
      <div className="grid max-w-3xl grid-cols-1 gap-4">
        {calculation}
        <ol className="grid grid-cols-1 gap-4">
          {steps.map(({ step, state, href }, place) => (
            <li
              key={step}
              className="sheet grid grid-cols-1 gap-4 p-4 sm:p-5"
              aria-current={step === current ? 'step' : undefined}
            >
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2>{`${place + 1}. ${STEP_TEXTS[step].title}`}</h2>
                {state === 'open' ? null : <p className="font-semibold">{STATE_LABELS[state]}</p>}
              </div>
              {step === current ? (
                <>
                  <p className="text-soft">{STEP_TEXTS[step].text}</p>
                  {children}
                  <SkipForm action={skipAction} label="Skip this step" />
                </>
              ) : state === 'done' ? null : (
                <p>
                  <Link to={href} className="inline-flex min-h-11 items-center">
                    {STEP_TEXTS[step].label}
                  </Link>
                </p>
              )}
            </li>
          ))}
        </ol>
        {isPremium ? null : <PremiumLine />}
      </div>
    </>
  );
}

interface CarriedCalculationProps {
  /** In one line. */
  summary: string;
  action: string;
  saveKey: string;
  isKept: boolean;
  /** It is deleted when the session ends. */
  isSessionOnly: boolean;
}

/** A calculation from before the user had an account. */
export function CarriedCalculation({
  summary,
  action,
  saveKey,
  isKept,
  isSessionOnly,
}: CarriedCalculationProps) {
  return (
    <section aria-labelledby="carried-title" className="sheet grid grid-cols-1 gap-3 p-4 sm:p-5">
      <h2 id="carried-title">Your calculation</h2>
      <p>
        <Measured text={summary} />
      </p>
      {isKept ? (
        <p>
          Saved.{' '}
          <Link to="/dashboard/calculator?history=1#history" className="inline-flex min-h-11 items-center">
            Show history
          </Link>
        </p>
      ) : (
        <Form method="post" action={action} className="flex flex-wrap items-center gap-3">
          <input type="hidden" name="saveKey" value={saveKey} />
          <Button variant="primary">Keep this calculation</Button>
          {isSessionOnly ? (
            <span className="text-soft">Kept until you sign out; with Premium, permanently.</span>
          ) : null}
        </Form>
      )}
    </section>
  );
}
