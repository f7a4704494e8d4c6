-- CreateTable
CREATE TABLE "process_beats" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "storage" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_beats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setup" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "token_hash" BYTEA,
    "token_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "setup_pkey" PRIMARY KEY ("id")
);
