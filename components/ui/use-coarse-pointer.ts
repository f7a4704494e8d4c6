"use client";

import { useMediaQuery } from "./use-media-query";

/** Returns whether touch is the main input; false on the server and during hydration. */
export const useCoarsePointer = () => useMediaQuery("(pointer: coarse)");
