import type { ReactNode } from "react";

/** `<b>` of a message: an address, left to right in every language. */
export function strong(chunks: ReactNode) {
  return (
    <bdi dir="ltr" className="wrap-anywhere font-medium text-fg">
      {chunks}
    </bdi>
  );
}
