import { Link } from '@remix-run/react';
import { UploadForm } from '#app/ui/upload-form.tsx';

/** A paper as texts. */
export interface PaperView {
  id: string;
  name: string;
  /** "PDF, 120 kB, added 12 Nov 2026 08:30" */
  about: string;
}

interface OrderPapersProps {
  /** The order's page. */
  path: string;
  papers: readonly PaperView[];
  canAdd: boolean;
  error?: string;
}

/** The certificates and other papers of an order, and the form for another. */
export function OrderPapers({ path, papers, canAdd, error }: OrderPapersProps) {
  return (
    <section aria-labelledby="papers-title">
      <h2 id="papers-title" className="text-xl">
        Certificates and papers
      </h2>
      {papers.length > 0 ? (
        <ul className="sheet mt-3 max-w-2xl">
          {papers.map(({ id, name, about }) => (
            <li key={id} className="vendor-line">
              <div className="min-w-0">
                <a href={`${path}/papers/${id}`} className="vendor-name">
                  {name}
                </a>
                <p className="figure text-sm text-soft">{about}</p>
              </div>
              <Link
                to={`${path}/papers/${id}/delete`}
                className="btn btn-plain no-print px-0 text-danger"
                aria-label={`Delete ${name}`}
              >
                Delete
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1 max-w-prose text-soft">
          Keep the certificate of analysis of each lot here: beside the vials it is about, and only for you.
        </p>
      )}
      {canAdd ? (
        <UploadForm
          action={`${path}/papers`}
          name="paper"
          label="Add a paper"
          hint="A PDF, or a picture as JPEG, PNG or WebP; at most 5 MB."
          accept="application/pdf,image/jpeg,image/png,image/webp"
          button="Add paper"
          error={error}
        />
      ) : (
        <p className="mt-3">There is room for ten; delete one to add another.</p>
      )}
    </section>
  );
}
