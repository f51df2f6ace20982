import { CARD_COLUMNS, type DoseCard } from '#app/domain/calculator/dose-card.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PrintButton } from '#app/ui/print-page.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { QrCode, type QrCodeProps } from '#app/ui/qr-code.tsx';
import { SyringeDrawing } from './syringe-drawing.tsx';

interface DoseCardViewProps {
  card: DoseCard;
  /** Null if the link is too long for a code. */
  qr: Omit<QrCodeProps, 'label'> | null;
  /** The same as a PDF file. */
  fileHref: string;
  back: { href: string; text: string };
}

/** A printable card of doses and what to draw for each. Its QR code opens what it was made from. */
export function DoseCardView({ card, qr, fileHref, back }: DoseCardViewProps) {
  const { facts, name, notes, picture, rows } = card;
  return (
    <main className="report dose-card mx-auto max-w-2xl px-4 py-8">
      <div className="no-print mb-6 flex flex-wrap gap-3">
        <PrintButton />
        <a href={fileHref} className="btn">
          Download PDF file
        </a>
        <LinkButton to={back.href}>{back.text}</LinkButton>
      </div>
      <h1 className="wrap-anywhere">{name === null ? 'Dose card' : `Dose card: ${name}`}</h1>
      <div className="mt-3 flex flex-wrap items-start justify-between gap-3">
        <dl className="grid min-w-0 grid-cols-[max-content_minmax(0,1fr)] content-start gap-x-4">
          {facts.map(([label, text]) => (
            <div key={label} className="contents">
              <dt className="text-soft">{label}</dt>
              <dd className="wrap-anywhere">
                <Measured text={text} />
              </dd>
            </div>
          ))}
        </dl>
        {qr ? (
          <div className="dose-card-code">
            <QrCode {...qr} label="QR code of what this card was made from" />
          </div>
        ) : null}
      </div>
      {rows.length > 0 ? (
        <table className="dose-card-rows">
          <caption className="sr-only">Doses and what to draw</caption>
          <thead>
            <tr>
              {CARD_COLUMNS.map(({ key, heading }) => (
                <th key={key} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ dose, drawTo, error, exact, isMain, others }) => (
              <tr key={dose} className={isMain ? 'font-semibold' : undefined}>
                <th scope="row">
                  <Measured text={[dose, ...others].join(' + ')} />
                </th>
                <td>
                  <Measured text={drawTo} />
                </td>
                <td>
                  <Measured text={exact} />
                </td>
                <td>{error}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {picture ? <SyringeDrawing {...picture} /> : null}
      {notes.map((text) => (
        <p key={text} className="mt-2 text-sm">
          <Measured text={text} />
        </p>
      ))}
      <p className="mt-3 text-sm">{RESEARCH_NOTICE}</p>
    </main>
  );
}

interface NoDoseCardProps {
  messages: readonly string[];
  calculatorHref: string;
}

/** What is wrong with the values in the address. */
export function NoDoseCard({ messages, calculatorHref }: NoDoseCardProps) {
  return (
    <main className="mx-auto max-w-2xl px-4 py-8">
      <h1>Dose card</h1>
      <p className="mt-3">There is no card, because this cannot be calculated:</p>
      <div role="alert">
        <ul className="mt-2 list-disc ps-6">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </div>
      <p className="mt-4">
        <LinkButton to={calculatorHref}>Back to the calculator</LinkButton>
      </p>
    </main>
  );
}
