from .finding import VERDICT_MEANINGS as VERDICT_MEANINGS  # of each verdict
from .finding import Finding as Finding
from .ledger import Claim as Claim
from .ledger import Paper as Paper
from .ledger import Result as Result
from .ledger import papers as papers
from .proof import Region as Region
from .verify import errata as errata
from .verify import planted_errors as planted_errors  # claims with a fault in each number
