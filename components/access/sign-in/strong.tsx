import type { ReactNode } from "react";

/** The `<b>` of a message: an address, kept left to right inside any language. */
export function strong(chunks: ReactNode) {
  return (
    <bdi dir="ltr" className="wrap-anywhere font-medium text-fg">
      {chunks}
    </bdi>
  );
}
