-- CreateTable
CREATE TABLE "sandbox_calls" (
    "id" SERIAL NOT NULL,
    "party" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "status" INTEGER,
    "failure" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_failures" (
    "id" SERIAL NOT NULL,
    "party" TEXT NOT NULL,
    "failure" TEXT NOT NULL,
    "match" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,

    CONSTRAINT "sandbox_failures_pkey" PRIMARY KEY ("id")
);
