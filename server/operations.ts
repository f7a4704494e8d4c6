import type { Handler } from "./core/contract";
import { handle } from "./core/contract";
import { declared } from "./core/domain";
import { isProduction } from "./core/env";
import "./domains";
import { documentOf, getOpenApi } from "./transports/rest/openapi";

let made: Handler[] | undefined;

/** What REST serves in this mode: the operations of every domain, and the description of them. */
export function handlers(): Handler[] {
  if (made) return made;
  const documented = declared()
    .filter(({ demoOnly }) => !(demoOnly && isProduction()))
    .flatMap(({ operations = {} }) => Object.values(operations));
  made = [...documented, handle(getOpenApi, async () => documentOf(documented)) as Handler];
  return made;
}
