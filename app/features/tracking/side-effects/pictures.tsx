import { Link } from '@remix-run/react';
import { UploadForm } from '#app/ui/upload-form.tsx';
import { effectHref } from './side-effect-row.ts';

/** A picture on the page. */
export interface PictureRow {
  id: string;
  width: number;
  height: number;
  added: string;
}

interface PicturesProps {
  effect: { id: string; name: string; pictures: readonly PictureRow[]; canAdd: boolean };
  error?: string;
}

/** The pictures of a side effect, and the form for another. */
export function Pictures({ effect, error }: PicturesProps) {
  const { id, name, pictures, canAdd } = effect;
  return (
    <section aria-labelledby="pictures-title" className="mt-8">
      <h2 id="pictures-title">Pictures</h2>
      {pictures.length > 0 ? (
        <ul className="picture-list mt-3">
          {pictures.map((picture, index) => (
            <li key={picture.id}>
              <a href={effectHref(id, `images/${picture.id}`)}>
                <img
                  src={effectHref(id, `images/${picture.id}`)}
                  alt={`${name}, ${index + 1} of ${pictures.length}`}
                  width={picture.width}
                  height={picture.height}
                  loading="lazy"
                />
              </a>
              <span className="text-sm text-soft">{picture.added}</span>
              <Link
                to={effectHref(id, `images/${picture.id}/delete`)}
                className="btn btn-plain no-print px-0 text-danger"
                aria-label={`Delete picture ${index + 1}`}
              >
                Delete
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {canAdd ? (
        <UploadForm
          action={effectHref(id, 'images')}
          name="image"
          label="Add a picture"
          hint="JPEG, PNG or WebP, at most 5 MB. Place and camera data are taken out; only you can see it."
          accept="image/jpeg,image/png,image/webp"
          button="Add picture"
          error={error}
        />
      ) : (
        <p className="mt-3">There is room for ten; delete one to add another.</p>
      )}
    </section>
  );
}
