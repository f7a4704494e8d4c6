import { env } from "@/server/core/env";

/** The brand of a mail: the name it shows and the address its links start with. */
export interface Brand {
  name: string;
  url: string;
}

/** The platform's own brand. Links come from the settings, never from the request. */
export function platformBrand(): Brand {
  return { name: env().APP_NAME, url: env().APP_URL };
}
