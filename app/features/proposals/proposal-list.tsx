import { Form } from '@remix-run/react';
import type { ChangeLine } from '#app/domain/proposals/proposal.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** A waiting proposal as its owner sees it. */
export interface WaitingProposal {
  id: string;
  summary: string;
  subject: string | null;
  changes: ChangeLine[];
  /** What its owner is asked about before accepting it. */
  questions: string[];
  /** Why it cannot be carried out now, or could not when it was tried. */
  problem: string | null;
  mark: string;
  source: string;
  proposedOn: string;
  endsOn: string;
}

/** A proposal that was answered or has expired. */
export interface AnsweredProposal {
  id: string;
  summary: string;
  stateText: string;
  message: string | null;
  on: string;
}

/** Why an answer was not carried out. */
export interface ProposalRefusal {
  id: string;
  messages: string[];
  /** It is a question that the owner can confirm. */
  asks: boolean;
}

/** Each value that a proposal would change, before and after. */
function Changes({ changes }: { changes: readonly ChangeLine[] }) {
  return (
    <dl className="grid gap-2">
      {changes.map(({ label, before, after }, index) => (
        <div key={`${label} ${index}`} className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
          <dt className="text-soft">{label}</dt>
          <dd className="min-w-0 break-words">
            {before === null ? null : (
              <>
                <span className="sr-only">from </span>
                <bdi>{before}</bdi>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> to </span>
              </>
            )}
            <bdi className="font-semibold">{after}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ proposal, asks }: { proposal: WaitingProposal; asks: boolean }) {
  const { id, mark } = proposal;
  return (
    <div className="flex flex-wrap gap-3">
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="mark" value={mark} />
        {asks ? <input type="hidden" name="confirm" value="yes" /> : null}
        <Button
          name="intent"
          value="accept"
          variant={asks ? 'danger' : 'primary'}
          aria-describedby={`about-${id}`}
        >
          {asks ? 'Yes, accept it' : 'Accept'}
        </Button>
      </Form>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <Button name="intent" value="decline" aria-describedby={`about-${id}`}>
          Decline
        </Button>
      </Form>
    </div>
  );
}

function Waiting({
  proposal,
  refusal,
}: {
  proposal: WaitingProposal;
  refusal?: ProposalRefusal | undefined;
}) {
  const { id, summary, subject, changes, questions, problem, source, proposedOn, endsOn } = proposal;
  const asks = refusal?.asks === true || (refusal === undefined && questions.length > 0);
  return (
    <li className="sheet grid gap-4 p-5">
      <div id={`about-${id}`}>
        <h3>{summary}</h3>
        {subject === null ? null : (
          <p className="break-words">
            About <bdi className="font-semibold">{subject}</bdi>
          </p>
        )}
      </div>
      {changes.length === 0 ? null : <Changes changes={changes} />}
      <p className="text-sm break-words text-soft">
        Proposed on {proposedOn} with <bdi>{source}</bdi>. Expires on {endsOn}.
      </p>
      {refusal === undefined ? null : (
        <Notice tone={refusal.asks ? 'warning' : 'error'} role="alert">
          {refusal.messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </Notice>
      )}
      {refusal === undefined && questions.length > 0 ? (
        <Notice tone="warning" role="note">
          {questions.map((question) => (
            <p key={question}>{question}</p>
          ))}
        </Notice>
      ) : null}
      {refusal === undefined && questions.length === 0 && problem !== null ? (
        <Notice tone="warning" role="note">
          <p>{problem}</p>
        </Notice>
      ) : null}
      <Answer proposal={proposal} asks={asks} />
    </li>
  );
}

/** Waiting proposals, with buttons to accept or decline each. */
export function WaitingProposals({
  waiting,
  refusal,
}: {
  waiting: readonly WaitingProposal[];
  refusal?: ProposalRefusal | undefined;
}) {
  const isListed = waiting.some(({ id }) => id === refusal?.id);
  return (
    <>
      {refusal === undefined || isListed ? null : (
        <Notice tone="error" role="alert">
          <p>{refusal.messages.join(' ')}</p>
        </Notice>
      )}
      {waiting.length === 0 ? (
        <EmptyState title="No proposals waiting" level={2} drawing="done">
          <p>
            When an assistant or another program wants to change something, it proposes it here. Nothing
            changes until you accept it.
          </p>
        </EmptyState>
      ) : (
        <section aria-labelledby="waiting-title" className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="waiting-title">Waiting for you</h2>
            <Form method="post">
              <Button name="intent" value="decline-all">
                Decline all
              </Button>
            </Form>
          </div>
          <ul className="grid gap-4">
            {waiting.map((proposal) => (
              <Waiting
                key={proposal.id}
                proposal={proposal}
                refusal={proposal.id === refusal?.id ? refusal : undefined}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The last proposals that were answered or have expired. */
export function AnsweredProposals({ answered }: { answered: readonly AnsweredProposal[] }) {
  if (answered.length === 0) return null;
  return (
    <section aria-labelledby="answered-title" className="grid gap-3">
      <h2 id="answered-title">Answered</h2>
      <ul className="border-t border-line">
        {answered.map(({ id, summary, stateText, message, on }) => (
          <li key={id} className="border-b border-line py-3">
            <p className="flex flex-wrap gap-x-3">
              <span className="font-semibold">{summary}</span>
              <span>{stateText}</span>
              <span className="text-soft">{on}</span>
            </p>
            {message === null ? null : <p className="break-words text-soft">{message}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
