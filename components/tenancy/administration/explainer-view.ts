import { parseAsString } from "nuqs/server";

export const explainerParsers = { email: parseAsString.withDefault(""), host: parseAsString.withDefault("") };
