import { Link } from '@remix-run/react';
import type { LotDetail, MeasuredVialTexts } from '#app/domain/lots/lot-texts.ts';
import type { DocumentView } from '#app/domain/vendors/document-schema.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { DocumentList } from '#app/ui/document-list.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { MeasuredForm } from './measured-form.tsx';
import { LotBadges } from './lot-list.tsx';

interface LotViewProps {
  lot: LotDetail;
  /** "12 doses, 3 mg in all" */
  taken: string;
  /** For a calculation with the measured content; null if there is none. */
  measured: MeasuredVialTexts | null;
  doseUnit: string;
  papers: readonly DocumentView[];
  canAddDocument: boolean;
  /** Why documents cannot be added. */
  locked?: string;
  /** The order it came with. */
  orderHref: string | null;
  documentError?: string;
}

/** The page of a lot: its certificate, vials, total taken, and documents. */
export function LotView(props: LotViewProps) {
  const { lot, taken, measured, doseUnit, papers, canAddDocument, locked, orderHref, documentError } = props;
  const path = `/dashboard/lots/${lot.id}`;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <LotBadges row={lot} />
      </div>
      {lot.warning === null ? null : (
        <Notice tone="warning" role="note">
          {lot.warning}
        </Notice>
      )}
      <div className="no-print flex flex-wrap gap-3">
        <LinkButton variant="primary" to={`${path}/doses`}>
          Doses from this lot
        </LinkButton>
        <LinkButton to={`${path}/edit`}>Edit</LinkButton>
        <LinkButton variant="danger" to={`${path}/delete`} className="ms-auto">
          Delete
        </LinkButton>
      </div>
      <div className="vial-panels">
        <section aria-labelledby="certificate-title" className="sheet grid content-start gap-3 p-5">
          <h2 id="certificate-title">Certificate</h2>
          <Facts pairs={lot.certificate} />
          <p className="text-sm text-soft">
            Purity is not content: a pure powder can weigh less than printed. Neither shows which peptide it
            is.
          </p>
          {lot.reportUrl ? (
            <a
              href={lot.reportUrl}
              rel="noreferrer nofollow"
              className="inline-flex min-h-11 items-center wrap-anywhere"
            >
              Open the laboratory’s report
            </a>
          ) : null}
        </section>
        <section aria-labelledby="vials-title" className="sheet grid content-start gap-3 p-5">
          <h2 id="vials-title">Vials</h2>
          <Facts pairs={[['Left', lot.left ?? 'No vials'], ['Taken', taken], ...lot.facts]} />
          {lot.vialRows.length > 0 ? (
            <ul className="grid gap-1">
              {lot.vialRows.map((vial) => (
                <li key={vial.id} className="flex flex-wrap items-center gap-x-3">
                  <Link to={`/dashboard/vials/${vial.id}`} className="inline-flex min-h-11 items-center">
                    {vial.name}
                  </Link>
                  <span>
                    <Figure value={vial.remainingText} unit={vial.unit} />
                    <span className="text-soft">{` of ${vial.totalText} ${vial.unit}, ${vial.statusText.toLowerCase()}`}</span>
                  </span>
                </li>
              ))}
            </ul>
          ) : null}
          {orderHref ? (
            <Link to={orderHref} className="inline-flex min-h-11 items-center">
              View the order
            </Link>
          ) : null}
        </section>
      </div>
      {measured ? <MeasuredForm vial={measured} unit={doseUnit} /> : null}
      {lot.notes ? <p className="max-w-prose whitespace-pre-line">{lot.notes}</p> : null}
      <DocumentList
        path={path}
        papers={papers}
        canAdd={canAddDocument}
        locked={locked}
        error={documentError}
        empty="Keep the certificate of analysis of this lot here. Only you can see it."
      />
    </>
  );
}

function Facts({ pairs }: { pairs: readonly (readonly [label: string, text: string])[] }) {
  return (
    <dl className="vial-facts">
      {pairs.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
