"""What a person is told before they let memdir ask a model: what goes where, what never does, what it costs about."""

from memdir import config

ASKS = False  # whether this version asks a model at all
NOT_YET = "This version does not ask a model yet: your choice is kept for the first one that does."
PROMPT_UNITS = 4_000

# Estimates in tokens, at four units each. The second is what a listed topic adds.
RECALL = (1_500, 35, 100)  # input, input for each topic, output: instructions, the prompt, a short answer
EXTRACTION = (7_000, 35, 600)  # instructions, the new turns, a few memories
SUMMARY = (10_000, 0, 2_000)
PROMPTS = 100
SUMMARIES = 10  # in so many prompts


def lines(settings: config.Config, claude: str, topics: int) -> "list[str]":
    """What will be sent under these settings from a project with so many topics; nothing if no model is chosen."""
    llm = settings.text("llm")
    if llm == "off":
        return []
    return [*_sent(_place(settings, claude)), *_cost(settings, topics)]


def _place(settings: config.Config, claude: str) -> str:
    if settings.text("llm") == "claude":
        return f"{claude or 'claude'} -p, your own Claude Code, which sends it where its requests go"
    return f"{settings.text('llm.base_url') or config.BASE_URL}, and to no other address"


def _sent(place: str) -> "list[str]":
    return [
        f"What is sent, to {place}:",
        f"  recall      with a prompt: the prompt, up to {PROMPT_UNITS:,} characters, and the list of topics (file,",
        "              type, time, description), never their text",
        "  extraction  when turns end: the new turns of the session, names and descriptions of the topics there are",
        "  summary     in a long session: the transcript of that session",
        "Out of all of these are taken first: text between <private> and </private>, and what looks like a password,",
        "key or token. Never sent: files of the project or memories, other than what the session itself quotes;",
        "sessions in directories of `exclude`; your key to any other place.",
    ]


def estimate(topics: int) -> "tuple[int, int]":
    """Tokens of input and output in PROMPTS prompts."""
    calls = ((RECALL, PROMPTS), (EXTRACTION, PROMPTS), (SUMMARY, SUMMARIES))
    return (
        sum([count * (base + each * topics) for (base, each, _), count in calls]),
        sum([count * output for (_, _, output), count in calls]),
    )


def _cost(settings: config.Config, topics: int) -> "list[str]":
    read, written = estimate(topics)
    price = f"{read / 1e6:.2f} x the price of a million tokens of input + {written / 1e6:.2f} x that of output"
    return [
        f"What it costs about, with the {topics} topics of this project (estimates, in tokens):",
        *[
            f"  {name:11} {base + each * topics:>7,} in {output:>5,} out   {how_often}"
            for name, (base, each, output), how_often in (
                ("recall", RECALL, "a call for a prompt"),
                ("extraction", EXTRACTION, "a call for a turn"),
                ("summary", SUMMARY, f"{SUMMARIES} calls in {PROMPTS} prompts"),
            )
        ],
        f"  {PROMPTS} prompts {read:>7,} in {written:>5,} out",
        f"  = {price}; your provider's page has the prices"
        + (", and a subscription counts it as use." if settings.text("llm") == "claude" else "."),
        f"  Limits: ${settings.number('caps.usd_day'):.10g} a day and {settings.count('caps.calls_hour')} calls an"
        " hour; past either one, nothing is asked.",
    ]
