import { parseAsString } from "nuqs/server";

/** Parameters of the explainer in the URL, shared by server and browser. */
export const explainerParsers = { email: parseAsString.withDefault(""), host: parseAsString.withDefault("") };
