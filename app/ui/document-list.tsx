import { Link } from '@remix-run/react';
import type { DocumentView } from '#app/domain/vendors/document-schema.ts';
import { UploadForm } from './upload-form.tsx';

interface DocumentListProps {
  /** The page of the order or lot. */
  path: string;
  papers: readonly DocumentView[];
  canAdd: boolean;
  /** Why there is no form; absent if documents can be added, or if there are already too many. */
  locked?: string;
  /** Shown while there are no documents. */
  empty?: string;
  error?: string;
}

/** The certificates and other documents of an order or a lot, and the form to add one. */
export function DocumentList({
  path,
  papers,
  canAdd,
  locked,
  error,
  empty = 'Keep each lot’s certificate of analysis here. Only you can see it.',
}: DocumentListProps) {
  return (
    <section aria-labelledby="papers-title">
      <h2 id="papers-title" className="text-xl">
        Certificates and documents
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
        <p className="mt-1 max-w-prose text-soft">{empty}</p>
      )}
      {locked ? (
        <p className="mt-3 text-soft">{locked}</p>
      ) : canAdd ? (
        <UploadForm
          action={`${path}/papers`}
          name="paper"
          label="Add a document"
          hint="A PDF, or a JPEG, PNG or WebP image, up to 5 MB."
          accept="application/pdf,image/jpeg,image/png,image/webp"
          button="Add document"
          error={error}
        />
      ) : (
        <p className="mt-3">You can keep up to ten documents. Delete one to add another.</p>
      )}
    </section>
  );
}
