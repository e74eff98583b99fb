#pragma once

#include "ui/widgets/page_header.h"

namespace triaxis::ui
{

class PlanActions;
class PlanDocument;
class PlanFiles;

/// Top of the Plan page: which plan in which file, and the buttons of what is done most.
class PlanHeader : public PageHeader
{
    Q_OBJECT
public:
    PlanHeader(PlanDocument& document, PlanFiles& files, PlanActions& actions,
               QWidget* parent = nullptr);

private:
    void refresh();

    PlanDocument& m_document;
    PlanFiles& m_files;
};

} // namespace triaxis::ui
